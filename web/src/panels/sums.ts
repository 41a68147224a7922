// What may be typed into a number field: sums, units, and a change of the number that is there.

const LENGTHS: Record<string, number> = { m: 1, mm: 1e-3, cm: 1e-2, dm: 0.1, km: 1e3, in: 0.0254, '"': 0.0254, ft: 0.3048, "'": 0.3048 };
const ANGLES: Record<string, number> = { degrees: 1, deg: 1, "°": 1, rad: 180 / Math.PI, turn: 360 };
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([a-z]+|["'°%])|([-+*/()]))/iy;

const CHANGE = /^(?:([-+*/])=|([*/]))(.*)$/;

/** Whether a text changes the number that is there. */
export const isChange = (text: string): boolean => CHANGE.test(text.trim());

/** The number that a text says for a field with this unit; null where it says none.
 *
 * "0.5 + 12cm", "(1 + 2) / 3", "90°"; "+= 0.1", "-= 2cm", "*2" and "/2" change what is there. */
export function numberOf(text: string, unit: string | undefined, now: number): number | null {
  const said = text.trim().replace(/(\d),(\d)/g, "$1.$2");
  const change = CHANGE.exec(said);
  const found = new Sum(change ? change[3]! : said, unit).value();
  if (found === null || !change) return found;
  const by = change[1] ?? change[2];
  const next = by === "+" ? now + found : by === "-" ? now - found : by === "*" ? now * found : now / found;
  return Number.isFinite(next) ? next : null;
}

class Sum {
  private readonly tokens: string[] = [];
  private at = 0;
  private readonly units: Record<string, number>;

  constructor(text: string, unit: string | undefined) {
    this.units = { ...(unit === "m" ? LENGTHS : unit === "degrees" || unit === "°" ? ANGLES : {}), "%": 0.01 };
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      this.tokens.push(found[0].trim());
      end = TOKEN.lastIndex;
    }
    if (text.slice(end).trim()) this.tokens.push("?"); // what is no part of a sum
  }

  value(): number | null {
    const found = this.tokens.length ? this.sum() : Number.NaN;
    return this.at === this.tokens.length && Number.isFinite(found) ? found : null;
  }

  private takes(...wanted: string[]): string | null {
    const token = this.tokens[this.at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.at++;
    return token;
  }

  private sum(): number {
    let total = this.product();
    for (let sign = this.takes("+", "-"); sign; sign = this.takes("+", "-")) total += sign === "+" ? this.product() : -this.product();
    return total;
  }

  private product(): number {
    let total = this.single();
    for (let sign = this.takes("*", "/"); sign; sign = this.takes("*", "/")) total = sign === "*" ? total * this.single() : total / this.single();
    return total;
  }

  private single(): number {
    const sign = this.takes("-", "+");
    if (sign) return sign === "-" ? -this.single() : this.single();
    let found: number;
    if (this.takes("(")) {
      found = this.sum();
      if (!this.takes(")")) return Number.NaN;
    } else found = Number(this.tokens[this.at++] ?? Number.NaN);
    const unit = this.takes(...Object.keys(this.units));
    return unit ? found * this.units[unit]! : found;
  }
}
