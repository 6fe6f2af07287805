/*
 * What the OpenAPI document says of an address in a request. Programs check by it in languages whose patterns know nothing
 * of letters, so beyond ASCII any character will do; within it, it is the check of `isEmail` of what is left when trimmed.
 */
const PLAIN = String.raw`[^\s\x00-/:-@\[-\x60{-\x9f]`
const LABEL = `${PLAIN}(?:(?:${PLAIN}|-)*${PLAIN})?`
export const EMAIL_PATTERN = String.raw`^\s*[^\s@<>()[\]\\,;:"\x00-\x1f\x7f-\x9f]+@${LABEL}(?:\.${LABEL})+\s*$`
