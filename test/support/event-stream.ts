import { expect } from 'bun:test'

/** Reads what a stream of events says as it begins, up to where nothing is missed any more. Parts may come as one. */
export async function untilBegun(next: () => Promise<string>): Promise<void> {
  let said = await next()
  while (!said.endsWith('event: begun\ndata: {}\n\n')) said += await next()
  expect(said).toStartWith('retry: 2000\n\n')
}
