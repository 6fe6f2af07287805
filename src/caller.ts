/** Who a request was made by, as the gate that let it in has found out. */
export type Principal = KeyPrincipal | UserPrincipal | VisitorPrincipal

/** The holder of an accepted API key (api.md §5). */
export interface KeyPrincipal {
  readonly type: 'key'
  readonly tenantId: string
  readonly keyId: string
  readonly keyName: string
  readonly scopes: readonly string[]
  /** Where its holder did not call the API itself. */
  readonly via?: 'mcp'
}

/** A person of the tenant who has signed in (decisions §14). */
export interface UserPrincipal {
  readonly type: 'user'
  readonly tenantId: string
  readonly userId: string
  readonly name: string
  readonly role: 'admin' | 'agent'
}

/** Somebody who chats on a source's site, known by a token. */
export interface VisitorPrincipal {
  readonly type: 'visitor'
  readonly tenantId: string
  readonly visitorId: string
  readonly sourceId: string
  /** The contact, once there is one. */
  readonly contactId: string | null
  readonly name: string | null
}

/** Who makes a change, as a ticket's thread names them (decisions §4). */
export interface Author {
  readonly type: 'contact' | 'agent' | 'api' | 'system'
  readonly id: string | null
  readonly name: string | null
}

/** How a change came in. Through `public` come respondents, visitors and mail; through `mcp` agents that call tools. */
export type Via = 'api' | 'mcp' | 'console' | 'command' | 'job' | 'public'

/**
 * On whose behalf, and when, an operation changes something. Every tenant id in an operation comes from here. Made by
 * the functions below, never by an operation for itself.
 */
export interface Caller {
  readonly tenantId: string
  readonly author: Author
  readonly via: Via
  /** The client's address, where a request was made. */
  readonly address: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** Of a rule: how many rules led here, this one included. */
  readonly depth?: number
}

/** The caller that a principal's request becomes, made at `at` from `address`. */
export function callerFor(principal: Principal, at: number, address: string | null): Caller {
  const { tenantId } = principal
  switch (principal.type) {
    case 'key':
      return {
        tenantId,
        author: { type: 'api', id: principal.keyId, name: principal.keyName },
        via: principal.via ?? 'api',
        address,
        at,
      }
    case 'user':
      return {
        tenantId,
        author: { type: 'agent', id: principal.userId, name: principal.name },
        via: 'console',
        address,
        at,
      }
    case 'visitor':
      return {
        tenantId,
        author: { type: 'contact', id: principal.contactId, name: principal.name },
        via: 'public',
        address,
        at,
      }
  }
}

const nobody: Author = { type: 'system', id: null, name: null }

/** What the administrator does at the command line, on a tenant's behalf. */
export function commandCaller(tenantId: string, at: number): Caller {
  return { tenantId, author: nobody, via: 'command', address: null, at }
}

/** What a user of the tenant does by the hands of the administrator at the command line. */
export function commandCallerAs(tenantId: string, user: { userId: string; name: string }, at: number): Caller {
  return {
    ...commandCaller(tenantId, at),
    author: { type: 'agent', id: user.userId, name: user.name },
  }
}

/** The user who began an import of contacts in the console, while the service goes on with it at `at`. */
export function importCaller(
  begun: { tenantId: string; userId: string; userName: string; address: string | null },
  at: number,
): Caller {
  const author: Author = { type: 'agent', id: begun.userId, name: begun.userName }
  return { tenantId: begun.tenantId, author, via: 'console', address: begun.address, at }
}

/** A user of the tenant who answers a mail of ours from their own mail program. */
export function mailedCaller(tenantId: string, user: { id: string; name: string }, at: number): Caller {
  const author: Author = { type: 'agent', id: user.id, name: user.name }
  return { tenantId, author, via: 'public', address: null, at }
}

/** What happens by the clock. */
export function jobCaller(tenantId: string, at: number): Caller {
  return { tenantId, author: nobody, via: 'job', address: null, at }
}

/** A rule of the tenant's, the `depth`-th of those that set off one another (decisions §17). */
export function ruleCaller(tenantId: string, ruleName: string, depth: number, at: number): Caller {
  return { ...jobCaller(tenantId, at), author: { ...nobody, name: `rule ${ruleName}` }, depth }
}

/** Who wrote a reply, when it is sent at `at`: after the time to take it back, or once the mail server takes it. */
export function replyCaller(
  written: { tenantId: string; author: Author; via: Via; address: string | null },
  at: number,
): Caller {
  return { ...written, at }
}

/** Somebody at the console who has not signed in. */
export function strangerCaller(tenantId: string, at: number, address: string | null): Caller {
  return { tenantId, author: nobody, via: 'console', address, at }
}

/** Somebody who fills in a form: nobody knows yet who it is. */
export function respondentCaller(tenantId: string, at: number): Caller {
  return { tenantId, author: { type: 'contact', id: null, name: null }, via: 'public', address: null, at }
}

/** What somebody outside lets us know who is no principal: a customer's mail, a provider's call. */
export function outsideCaller(tenantId: string, at: number, name: string | null = null): Caller {
  return { tenantId, author: { ...nobody, name }, via: 'public', address: null, at }
}
