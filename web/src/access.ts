// Who may talk to the session: the token of the printed address is exchanged for a key of this tab, which is good for
// the same session after a restart too, when the token is another. No cookie: all ports of a host would share it.

const KEPT = "posable.key";

/** The key of this tab, null where there is none. Throws where the server does not answer. */
export async function ownKey(): Promise<string | null> {
  const token = location.hash.slice(1);
  if (token) {
    const answer = await fetch("api/key", { method: "POST", headers: { "X-Posable-Token": token } });
    if (answer.ok) sessionStorage.setItem(KEPT, ((await answer.json()) as { key: string }).key);
    history.replaceState(null, "", location.pathname + location.search); // an old token leaves the key as it was
  }
  return sessionStorage.getItem(KEPT);
}

/** `fetch`, with the key. */
export function request(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, headers: { ...init.headers, "X-Posable-Key": sessionStorage.getItem(KEPT) ?? "" } });
}
