import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Where process ids mean the same: a machine, or a container on it. */
const HOST = `${hostname()} ${pidNamespace()}`
const PROCESS = `${process.pid}/${crypto.randomUUID()}`

/** Names a node so that another one of the same machine can tell whether its process is still there. */
export function newNodeId(): string {
  return `${HOST}/${PROCESS}/${crypto.randomUUID()}`
}

/** Whether the node's process has certainly ended. Of other machines that is never certain. */
export function hasEnded(nodeId: string): boolean {
  const [host, pid, run] = nodeId.split('/')
  if (host !== HOST || !pid || `${pid}/${run}` === PROCESS) return false
  return Number(pid) === process.pid || !exists(Number(pid))
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
