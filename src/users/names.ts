/** What others call somebody who has given no name. */
export function nameInAddress(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}
