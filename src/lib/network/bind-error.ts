import { UserError } from '../../errors.ts'

/** Which variables say where a listener binds. */
export interface BindVariables {
  readonly host: string
  readonly port: string
}

/** Whatever binding fails with, the line names the variable to change: how a wrong host fails is up to the resolver. */
export function explainBind(
  error: unknown,
  { host, port }: { host: string; port: number },
  variables: BindVariables,
): UserError {
  switch ((error as { code?: unknown }).code) {
    case 'EADDRINUSE':
      return new UserError(`${variables.port}: port ${port} on ${host} is already in use`)
    case 'EACCES':
      return new UserError(`${variables.port}: listening on port ${port} is not permitted`)
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
    case 'ENOMEM':
      return new UserError(`${variables.host}: no descriptors or memory are left to listen on ${host}, port ${port}`)
    default:
      return new UserError(`${variables.host}: ${host} is not an address of this machine, or not one to listen on`)
  }
}
