import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { openDatabase } from '../../src/db/index.ts'
import { createKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { busyTime, startService } from './harness/processes.ts'
import { median, print, quantile, row } from './harness/report.ts'

const ROUNDS = 200
/** What a list of all tools may take, in milliseconds. */
const LIMIT = 5

/**
 * What an agent's calls cost, one after the other: the list of all tools, and the same record by a tool and by the API. The
 * first call also loads the SDK.
 */
export async function benchMcp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const key = await keyIn(folder)
    const service = await startService(folder)
    const message = (method: string, params: object) => ask(service.port, key, '/mcp', { method, params })
    const list = () => message('tools/list', {})
    const began = performance.now()
    await list()
    const first = performance.now() - began
    print('')
    row('calls of an agent, one after the other', 'p50 ms', 'p95 ms', 'CPU ms')
    const measured = async (name: string, call: () => Promise<unknown>) => {
      for (let warmUp = 0; warmUp < ROUNDS; warmUp++) await call()
      const busy = await busyTime(service.pid)
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const before = performance.now()
        await call()
        times.push(performance.now() - before)
      }
      const cpu = ((await busyTime(service.pid)) - busy) / ROUNDS
      row(name, ...[median(times), quantile(times, 0.95), cpu].map((time) => time.toFixed(2)))
      return median(times)
    }
    const listed = await measured('tools/list, all scopes', list)
    await measured('getMe as a tool', () => message('tools/call', { name: 'getMe', arguments: {} }))
    await measured('GET /v1/me', () => ask(service.port, key, '/v1/me'))
    print(
      `the first call took ${first.toFixed(0)} ms; tools/list ${listed < LIMIT ? 'keeps to' : 'IS OVER'} ${LIMIT} ms`,
    )
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function keyIn(folder: string): Promise<string> {
  const database = await openDatabase({ dataDir: folder })
  try {
    return await database.transaction(async (tx) => {
      const { tenantId } = await createTenant(tx, { name: 'Bench' }, Date.now())
      const caller = commandCaller(tenantId, Date.now())
      return (await createKey(tx, caller, { name: 'bench', scopes, expiresAt: null })).key
    })
  } finally {
    await database.close()
  }
}

async function ask(port: number, key: string, path: string, call?: { method: string; params: object }): Promise<void> {
  const revision = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = (call?.params as { name?: string } | undefined)?.name
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: call ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      ...(call && {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': call.method,
        ...(name && { 'mcp-name': name }),
      }),
    },
    body: call
      ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: { ...call.params, _meta } })
      : null,
  })
  await response.bytes()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
}
