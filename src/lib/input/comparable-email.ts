import { domainToASCII } from 'node:url'
import { domainOf, normaliseEmail } from './email.ts'

/** An address as it is compared with others: mail writes its domain in ASCII or not. For the server alone. */
export function comparable(email: string): string {
  const normalised = normaliseEmail(email)
  const domain = domainOf(normalised)
  return normalised.slice(0, normalised.lastIndexOf('@') + 1) + (domainToASCII(domain) || domain)
}
