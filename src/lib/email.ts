/** api.md §8: the longest address, in characters. */
export const MAX_EMAIL = 320

/** Something, an @, and a domain with a dot or at least a name; no spaces, quotes or brackets that mail would trip on. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u

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
