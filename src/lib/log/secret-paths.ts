/** What stands before a token in a path. Every route with a token in its path has its beginning here: a test goes over them. */
const BEFORE_TOKENS = ['console/password']

const places = BEFORE_TOKENS.map((path) => path.replaceAll('/', '(?:/|%2f)+')).join('|')
const TOKEN = new RegExp(`((?:${places})(?:/|%2f)+)[^\\s"'\\\\<>?#]+`, 'gi')

/**
 * A text without the tokens of links, whoever wrote it: a request's path, or a mail server that repeats the mail it
 * refused. Whoever reads a log must not get into an account by it (decisions.md §14).
 */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, '$1:token')
}
