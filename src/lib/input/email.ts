/** api.md §8: the longest address, in characters. */
export const MAX_EMAIL = 320

/** Labels of letters, digits and inner hyphens, at least two of them. */
const DOMAIN = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+`
/** Something, an @, and a domain; no spaces, quotes or brackets that mail would trip on. */
const EMAIL = new RegExp(String.raw`^[^\s@<>()[\]\\,;:"\p{Cc}]+@${DOMAIN}$`, 'u')

const WHOLE_DOMAIN = new RegExp(`^${DOMAIN}$`, 'u')

/** The pragmatic check of decisions §7, on a trimmed address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && EMAIL.test(text)
}

/** What de-duplication compares (decisions §7). */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** The part after the @, lower-cased. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Whether an email address can end in `@` and this. */
export function isDomain(text: string): boolean {
  return text.length <= 255 && WHOLE_DOMAIN.test(text)
}
