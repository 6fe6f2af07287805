/** What of the headers that every answer carries (decisions §1, §10, §14) is missing or wrong in one: nothing, mostly. */
export function headerFaults({ headers }: { headers: Headers }, strictTransport = false): string[] {
  const faults = []
  const referrer = headers.get('referrer-policy') ?? ''
  if (!/^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(referrer)) {
    faults.push(`referrer-policy: ${referrer}`)
  }
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push('no nosniff')
  if (!headers.has('cache-control')) faults.push('no cache-control')
  const transport = headers.get('strict-transport-security')
  if (transport !== (strictTransport ? 'max-age=31536000' : null))
    faults.push(`strict-transport-security: ${transport}`)
  return faults
}
