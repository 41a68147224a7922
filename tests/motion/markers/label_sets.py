"""The labels of the usual marker sets, as their recordings write them."""

from __future__ import annotations

_PLUG_IN_GAIT = "FHD BHD SHO UPA ELB FRM WRA WRB FIN ASI PSI THI KNE TIB ANK HEE TOE"
_IOR = "CAJ HLE HME RSP USP HM2 HM5 IAS IPS FTC FLE FME FAX TTC FAL TAM FCC FM1 FM2 FM5"
_RAJAGOPAL = (
    "ACR ASH PSH ASI PSI LEL MEL FAsuperior FAradius FAulna UA1 UA2 UA3 TH1 TH2 TH3 TB1 TB2 TB3 LFC MFC KJC LMAL MMAL "
    "AJC CAL TOE MT5 HJC EJC SJC"
)
_CMU = "FHD BHD SHO UPA ELB FRM WRA WRB FIN THMB FWT BWT THI KNE SHN ANK HEE MT5 TOE"
_HELEN_HAYES = "Shoulder Elbow Wrist ASIS Thigh Knee Knee.Med Shank Ankle Ankle.Med Heel Toe"
_HAMNER = (
    "ASIS PSIS Acromium Bicep Elbow MElbow Radius Ulna Forearm Thigh.Upper Thigh.Front Thigh.Rear Knee.Lat Knee.Med "
    "Shank.Upper Shank.Front Shank.Rear Ankle.Lat Ankle.Med Heel Midfoot.Sup Midfoot.Lat Toe.Tip Toe.Lat Toe.Med"
)


def _both(codes: str, dot: str = "") -> tuple[str, ...]:
    return tuple(f"{side}{dot}{code}" for code in codes.split() for side in "LR")


SETS = {
    "Plug-in Gait": (*_both(_PLUG_IN_GAIT), "C7", "T10", "CLAV", "STRN", "RBAK"),
    "Helen Hayes": (*_both(_HELEN_HAYES, "."), "Top.Head", "Front.Head", "Rear.Head", "V.Sacral"),
    "IOR": (*_both(_IOR), "C7", "TV2", "LV1", "LV3", "LV5", "SJN", "SXS"),
    "Rajagopal": (*_both(_RAJAGOPAL), "C7", "CLAV"),
    "Hamner": (*_both(_HAMNER, "."), "V.Sacral", "Sternum", "Top.Head"),
    "CMU": (*(f"subject:{label}" for label in _both(_CMU)), "C7", "T10", "CLAV", "STRN", "RBAC"),
}
