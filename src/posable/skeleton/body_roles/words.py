"""The meaning of a joint's name: the part of the body, the side, and whether it is a handle, a prop or a helper.

General words for each part, in the languages that rigs are made in; not the names of particular rigs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SUFFIX = re.compile(r"\.([LRlr])(\.\d+)?$")  # as Blender writes sides
_VERTEBRA = re.compile(r"j?[lt]\d+([ls]\d+)?$", re.IGNORECASE)
_SIDES = {
    word: side
    for side, words in (
        ("l", "l left lft lt links linke linker linkes gauche izquierda izquierdo izq sinistra sinistro sx esquerda "
              "esquerdo esq hidari zuo levaya levyy levoe lev левая левый левое левой лев 左 lewy lewa lewe "
              "왼쪽 왼 좌측"),
        ("r", "r right rgt rt rechts rechte rechter rechtes droite droit derecha derecho der destra destro dx direita "
              "direito migi you pravaya pravyy pravoe prav правая правый правое правой прав 右 prawy prawa "
              "prawe 오른쪽 오른 우측"),
    )
    for word in words.split()
}  # fmt: skip
_HAND_SIDES = {"lh": "l", "rh": "r"}  # of a hand alone; of four legs, the hind ones
_LETTERED = {"ff": "index", "if": "index", "mf": "middle", "rf": "ring", "lf": "little", "th": "thumb"}
_FINGER_LETTERS = re.compile(
    r"(ff|if|mf|rf|lf|th)(j|knuckle|metacarpal|base|hub|proximal|middle|distal|tip|mcp|pip|dip|cmc|ip|)"
)
_MOST_LETTERS = 3  # of first (or index), middle and thumb
_SPELLED = 4  # letters: shorter words of a side may mean something else
_SIDE_LETTERS = (("g", "d"), ("i", "d"), ("s", "d"), ("e", "d"), ("л", "п"))  # gauche, izquierda, sinistra, левый …
_LEAST_LETTERED = 3  # pairs of names that differ in such a letter alone
_CORNERS = {f"{row}{side}": (side, row) for row in "fhbr" for side in "lr"} | {
    f"{side}{row}": (side, row) for row in "fh" for side in "lr"
}  # the four legs of robots: front left, hind right, left fore …
_ROWS = {"front", "fore", "back", "rear", "hind", "mid", "middle"}
_UPPER, _LOWER = {"up", "upper", "u"}, {"lo", "low", "lower", "fore"}

_WORDS_OF_PART = {  # the more telling parts first: of several words in a name, the first part here counts
    "thumb": "thumb daumen pouce pulgar pollice polegar oyayubi muzhi большой 親指 拇指 duim kciuk 엄지손가락 엄지",
    "index": "index pointer zeigefinger indice hitosashi shizhi указательный 人指 人差指 人差し指 食指 wijsvinger "
            "wskazujacy "
            "집게손가락 검지",
    "middle": "middle mid mittelfinger majeur medio nakayubi zhongzhi средний 中指 middelvinger srodkowy "
            "가운데손가락 중지",
    "ring": "ring ringfinger annulaire anular anulare kusuriyubi wumingzhi безымянный 薬指 无名指 無名指 serdeczny "
            "약지",
    "little": "little pinky pinkie kleinfinger kleinerfinger auriculaire menique mignolo koyubi xiaozhi мизинец 小指 "
            "새끼손가락 소지",
    "finger": "finger fingers doigt doigts yubi палец пальцы 指 vinger vingers palec 손가락",
    "palm": "carpal carpals metacarpal metacarpals palm",
    "metatarsal": "metatarsal metatarsals",
    "toes": "toe toes toebase ball zeh zehe zehen orteil orteils punta nosok tsumasaki jiaozhi носок "
            "つま先 爪先 脚趾 脚尖 tenen 발가락 발끝",
    "eye": "eye eyeball auge oeil ojo occhio olho глаз 目 眼 oog oko 눈",
    "jaw": "jaw kiefer machoire mandibula mascella челюсть 顎 あご 下巴 kaak szczeka 턱",
    "elbow": "elbow ellbogen ellenbogen coude codo gomito cotovelo hiji zhou lokot локоть ひじ 肘 elleboog lokiec "
            "łokiec 팔꿈치",
    "wrist": "wrist handgelenk poignet muneca polso pulso tekubi shouwan запястье 手首 手腕 pols nadgarstek 손목",
    "ankle": "ankle knoechel knochel cheville tobillo caviglia tornozelo ashikubi лодыжка 足首 脚踝 脚腕 enkel "
            "kostka 발목",
    "clavicle": "clavicle collar collarbone scapula schluesselbein schlusselbein clavicule clavicula clavicola "
                "klyuchitsa ключица 鎖骨 锁骨 sleutelbeen obojczyk 쇄골",
    "upper_arm": "upperarm uparm bicep biceps humerus oberarm dabi shangbi 上臂 大臂 bovenarm ramie 위팔 윗팔 상완",
    "lower_arm": "forearm lowerarm loarm radius ulna unterarm avantbras antebrazo avambraccio antebraco xiaobi "
            "qianbi "
                 "predplechye предплечье 前臂 小臂 onderarm przedramie 아래팔 팔뚝 하완 전완",
    "upper_leg": "upleg upperleg thigh femur oberschenkel cuisse muslo coscia coxa momo datui bedro бедро 太もも "
            "大腿 "
            "bovenbeen dijbeen udo 허벅지 넓적다리 대퇴",
    "lower_leg": "lowerleg loleg lowleg calf shin shank knee tibia unterschenkel schienbein knie mollet genou "
                 "pantorrilla espinilla rodilla polpaccio stinco ginocchio canela joelho hiza sune xiaotui xigai golen "
                 "koleno голень колено ひざ 膝 すね 小腿 onderbeen scheenbeen lydka łydka kolano 종아리 정강이 무릎",
    "shoulder": "shoulder shldr schulter epaule hombro spalla ombro kata jian plecho плечо 肩 schouder bark 어깨",
    "hand": "hand fist main mano mao shou kist кисть 手 dlon dłon 손",
    "foot": "foot feet fuss pied pie piede pe jiao stopa стопа ступня 脚 voet 발",
    "hips": "hips hip pelvis hufte huefte becken hanche hanches bassin cadera caderas bacino anche quadril koshi "
            "kuan pengu gupen taz таз 下半身 腰 骨盆 盆骨 髋 bekken heup heupen miednica biodro biodra 골반 엉덩이",
    "arm": "arm bras brazo braccio braco ude ruka рука 腕 臂 reka 팔",
    "leg": "leg bein jambe pierna gamba perna ashi noga нога 足 腿 다리",
    "neck": "neck lowerneck upperneck cervical hals nacken cou cuello collo pescoco kubi bozi sheya шея 首 颈 脖子 "
            "nek "
            "szyja 목",
    "head": "head skull kopf tete cabeza testa cabeca atama tou golova голова 頭 头 hoofd glowa głowa 머리",
    "chest": "chest torso thorax upperback ribcage thoracic brust brustkorb poitrine pecho petto torace peito mune "
             "xiong grud грудь 胸 borst borstkas 가슴",
    "spine": "spine waist trunk lowerback back abdomen belly lumbar wirbelsaeule wirbelsaule rucken ruecken bauch "
             "colonne dos columna espalda colonna schiena spina coluna senaka jizhui yao pozvonochnik позвоночник "
             "спина живот 上半身 背骨 背 脊椎 脊柱 rug ruggengraat kregoslup kregosłup 척추 허리",
}  # fmt: skip
_PART_OF_WORD = {word: part for part, words in _WORDS_OF_PART.items() for word in words.split()}
_RANK = {part: rank for rank, part in enumerate(_WORDS_OF_PART)}
FINGERS = ("thumb", "index", "middle", "ring", "little")
_LEGGED = {"upper_leg", "lower_leg", "leg", "foot", "ankle", "toes", "shoulder"}

_WORDS_OF_USE = {  # the more telling first, as above
    "prop": "weapon sword gun rifle pistol shield bow arrow axe staff dagger spear prop item slot handslot socket "
            "attach attachment equip holster waffe schwert epee arma espada spada buki wuqi оружие меч 武器 剣 剑",
    "end": "end endsite nub tip leaf site 先",
    "control": "ik fk ctrl control controller controls ctl con pole poletarget target goal driver mch cntrl "
               "ziel cible objetivo controllo 控制 ｉｋ",
    "twist": "twist roll share volume tweak drehung torsion nejiri 捩 捩り 捻",
    "helper": "dummy null helper org offset camera imu sensor lidar laser range accelerometer gyrometer itb mount "
              "visual collision contour contact screen display ft frame optical caster wheel logo motor dof ダミー",
}  # fmt: skip
_USES = tuple(_WORDS_OF_USE)
_DOUBTFUL = ("twist", "helper")  # words beside those of a part: "upper arm twist" is still about the upper arm
_USE_OF_WORD = {word: use for use, words in _WORDS_OF_USE.items() for word in words.split()}
_OTHERS = {
    "gripper", "sole", "lid", "brow", "lash", "look", "ear", "tail", "hair", "tongue", "lip", "cheek", "adjust",
    "camera", "imu", "sensor", "logo", "lidar", "range", "accelerometer", "itb", "wheel", "mount", "visual",
    "collision", "contour", "contact", "screen", "display", "dummy", "null", "helper", "laser", "gyrometer", "touch",
    "skirt", "cloth", "cape", "breast", "wing", "fin", "caster", "gaze",
}  # fmt: skip
"""The uses whose words exclude a joint from the roles of the body."""
_DECORATION = {"base", "bend", "joint", "link", "bone", "jnt", "def", "x", "stretch", "bind"}
_CJK = sorted(
    {word for word in (*_PART_OF_WORD, *_USE_OF_WORD, *_SIDES) if ord(word[0]) >= 0x3000}, key=len, reverse=True
)


Said = tuple[str, tuple[str, ...], tuple[str, ...], str, str]  # part, words, numbers, row, side


@dataclass(frozen=True)
class Word:
    """The meaning of one name. part: one of the parts above, "" if none; side: "l", "r" or ""; numbers: as written.

    use: one of the uses above, "" if none. row: "front", "back" … for the legs of animals. spelled: whether the side
    is more than a letter.
    """

    part: str = ""
    side: str = ""
    numbers: tuple[str, ...] = ()
    use: str = ""
    row: str = ""
    words: tuple[str, ...] = ()
    spelled: bool = False


def read_names(names: Sequence[str]) -> list[Word]:
    """The meaning of each name of a skeleton; prefixes that nearly all share are removed first."""
    split = _spelled_fingers([_split(name) for name in names])
    prefix = _shared_prefix(split)
    split = [tokens[_common(tokens, prefix) :] for tokens in split]
    corners = {token for tokens in split for token in tokens if token in _CORNERS}
    letters = _side_letters(split)
    words = [
        _read(name, [letters.get(token, token) for token in tokens], corners if len(corners) >= 4 else set())
        for name, tokens in zip(names, split, strict=True)
    ]
    sides: Counter[Said] = Counter((word.part, word.words, word.numbers, word.row, word.side) for word in words)
    return [_with_partner(word, sides) for word in words]


def only_twists(words: Iterable[Word], one: Word) -> bool:
    """Whether every name of the part that `one` names says that it is a twist bone: NeckTwist01, then, is the "
    "neck."""
    return bool(one.part) and all(
        word.use == "twist" for word in words if (word.part, word.side) == (one.part, one.side)
    )


def sides_said(names: Iterable[str]) -> Counter[str]:
    """How many of the names mean "l" and "r", whether or not another means the other side."""
    words = (part for name in names for token in _split(name) for part in _unfused(token))
    return Counter(side for word in words if (side := _SIDES.get(word) or _HAND_SIDES.get(word)))


def _split(name: str) -> list[str]:
    bare = _plain(re.split(r"[:|/]", name)[-1] or name)
    return [part for word in _WORD.findall(bare) for part in _cut(word.lower())]


def _spelled_fingers(split: list[list[str]]) -> list[list[str]]:
    """The names with whole words for the two letters of first, middle, ring, little finger and thumb, as in FFJ3, "
            "where
    most of these letters occur: RF alone is a right front leg.
    """
    found = [[_FINGER_LETTERS.fullmatch(token) for token in tokens] for tokens in split]
    if len({match[1] for matches in found for match in matches if match} & {"ff", "if", "mf", "th"}) < _MOST_LETTERS:
        return split
    return [
        [
            word
            for token, match in zip(tokens, matches, strict=True)
            for word in ([_LETTERED[match[1]], match[2]] if match else [token])
            if word
        ]
        for tokens, matches in zip(split, found, strict=True)
    ]


def _plain(name: str) -> str:
    """Full-width letters as usual ones, Latin ones without accents."""
    plain = []
    for letter in unicodedata.normalize("NFKC", name):
        base = unicodedata.normalize("NFD", letter)[0]
        plain.append("ss" if letter == "ß" else "oe" if letter in "œŒ" else base if base.isascii() else letter)
    return "".join(plain)


def _cut(word: str) -> Iterator[str]:
    """The known words that a name in Japanese or Chinese is made of; other words whole."""
    while word and ord(word[0]) >= 0x3000:
        first = next((known for known in _CJK if word.startswith(known)), word[0])
        yield first
        word = word[len(first) :]
    if word:
        yield word


def _side_letters(split: list[list[str]]) -> dict[str, str]:
    """The letters that mean left and right where no usual ones do: gauche and droite, izquierda and derecha."""
    if any(token in _SIDES for tokens in split for token in tokens):
        return {}
    every = Counter(tuple(tokens) for tokens in split)
    for left, right in _SIDE_LETTERS:
        pairs = [tokens for tokens in split if left in tokens]
        swapped = [tuple(right if token == left else token for token in tokens) for tokens in pairs]
        if sum(one in every for one in swapped) >= _LEAST_LETTERED:
            return {left: "l", right: "r"}
    return {}


def _shared_prefix(split: list[list[str]]) -> list[str]:
    """The first words that at least four fifths of the names have in common and that say nothing of the body."""
    prefix: list[str] = []
    while len(split) >= 5:
        starts = Counter(tokens[len(prefix)] for tokens in split if len(tokens) > len(prefix) + 1)
        word, count = starts.most_common(1)[0] if starts else ("", 0)
        if count < 0.8 * len(split) or word in _SIDES or word in _PART_OF_WORD:
            break
        prefix.append(word)
    return prefix


def _common(tokens: list[str], prefix: list[str]) -> int:
    count = 0
    while count < min(len(prefix), len(tokens) - 1) and tokens[count] == prefix[count]:
        count += 1
    return count


def _read(name: str, tokens: list[str], corners: set[str]) -> Word:
    if _VERTEBRA.match(name):
        return Word("spine", words=(name.lower(),))
    corner = next((token for token in tokens if token in corners), None)
    if corner:
        side, row = _CORNERS[corner]
        return Word("leg", side, row=row, words=tuple(tokens))
    spelled = any(token in _SIDES and len(token) >= _SPELLED for token in tokens)
    tokens, sides = _without_sides([part for token in tokens for part in _unfused(token)])
    if suffix := _SUFFIX.search(name):  # PalmR.L is the left one: the ring finger's bone of the palm
        sides.insert(0, suffix[1].lower())
    numbers = tuple(token for token in tokens if token.isdigit())
    words = _joined([token for token in tokens if not token.isdigit() and token not in _DECORATION])
    uses = sorted({_USE_OF_WORD[word] for word in words if word in _USE_OF_WORD}, key=_USES.index)
    said = Word("", sides[0] if sides else "", numbers, _use(name, uses), words=tuple(words), spelled=spelled)
    if _OTHERS & set(words):
        return said
    parts = sorted({_PART_OF_WORD[word] for word in words if word in _PART_OF_WORD}, key=_RANK.__getitem__)
    part = _chosen(parts)
    legged = _LEGGED & {*parts} or ("hips" in parts and sides)  # a hip on one side is a leg's
    row = next((word for word in words if word in _ROWS), "") if legged else ""
    if row and part == "middle":
        part = _chosen([one for one in parts if one != part])
    plain = tuple(word for word in words if _USE_OF_WORD.get(word) not in _DOUBTFUL)
    return replace(said, part=part, row=row, words=plain)


def _use(name: str, uses: list[str]) -> str:
    return uses[0] if uses else "helper" if name.startswith("__") else ""


def _chosen(parts: list[str]) -> str:
    if "middle" in parts and {*parts} & {*FINGERS} - {"middle"}:  # the middle bone of another finger
        parts = [part for part in parts if part != "middle"]
    if "finger" in parts and parts[0] in FINGERS:
        parts = [parts[0]]
    return parts[0] if parts else ""


def _unfused(token: str) -> list[str]:
    """A side written onto the word: lfemur, rarm; and "hipjoint"."""
    bare = token.removesuffix("joint")
    if bare and bare != token and (bare in _PART_OF_WORD or bare[1:] in _PART_OF_WORD):
        token = bare
    if token not in _PART_OF_WORD and token[:1] in ("l", "r") and token[1:] in _PART_OF_WORD:
        return [token[0], token[1:]]
    return [token]


def _without_sides(tokens: list[str]) -> tuple[list[str], list[str]]:
    sides = [_SIDES[token] for token in tokens if token in _SIDES]
    return [token for token in tokens if token not in _SIDES], sides


def _joined(words: list[str]) -> list[str]:
    """ "upper arm" as one word, "arm upper" and "lower back" too."""
    found: list[str] = []
    for word in words:
        last = found[-1] if found else ""
        if last and last + word in _PART_OF_WORD:
            found[-1] = last + word
        elif word in ("arm", "leg", "back") and (last in _UPPER or last in _LOWER):
            level = "upper" if last in _UPPER else "lower"
            found[-1] = "forearm" if (level, word) == ("lower", "arm") else level + word
        elif word in ("upper", "lower") and last in ("arm", "leg"):
            found[-1] = word + last
        else:
            found.append(word)
    return found


def _with_partner(word: Word, sides: Counter[Said]) -> Word:
    """A side counts only where it is spelled out, as of the one arm in a recording, or where the other side has the
    same: the R of WAIST_R means roll.
    """
    if not word.side or (word.spelled and word.part):
        return word
    other = "r" if word.side == "l" else "l"
    alone = not sides[(word.part, word.words, word.numbers, word.row, other)]
    same_part = any(key[0] == word.part and key[4] == other for key in sides)
    return replace(word, side="") if alone and not same_part else word
