import './production.ts'
import { runCommandLine } from './cli/index.ts'

// No exports here: a compiled entry module with exports crashes at start. The process ends by itself when the command
// has nothing left open.
process.exitCode = await runCommandLine(process.argv.slice(2))
