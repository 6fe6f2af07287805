/** First and last name as people write them, one after the other; empty where there is neither. */
export function fullName(contact: { readonly name: string | null; readonly lastName: string | null }): string {
  return [contact.name, contact.lastName].filter(Boolean).join(' ')
}
