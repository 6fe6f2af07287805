/**
 * What stands before a token, or before what is people's own, in a path, and what a log says instead. Every route with
 * such in its path has its beginning here: a test goes over them.
 */
const HIDDEN = [
  { path: 'console/password', name: 'token', end: `\\s"'\\\\<>?#` },
  // Some addresses have an apostrophe.
  { path: 'v1/contacts/by-email', name: 'email', end: '\\s"\\\\<>?#' },
]

const rules = HIDDEN.map(({ path, name, end }) => ({
  pattern: new RegExp(`(${path.replaceAll('/', '(?:/|%2f)+')}(?:/|%2f)+)[^${end}]+`, 'gi'),
  instead: `$1:${name}`,
}))

/**
 * A text without the tokens of links and the addresses in paths, whoever wrote it: a request's path, or a mail server that
 * repeats the mail it refused. Whoever reads a log must not get into an account by it (decisions.md §14).
 */
export function withoutSecrets(text: string): string {
  return rules.reduce((rest, { pattern, instead }) => rest.replace(pattern, instead), text)
}
