import './production.ts'
import { runCommandLine } from './cli/index.ts'

// Whatever is made is readable by its user alone (decisions §11).
process.umask(0o077)

// No exports here: a compiled entry module with exports crashes at start. The process ends by itself when the command
// has nothing left open.
process.exitCode = await runCommandLine(process.argv.slice(2))
