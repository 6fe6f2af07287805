import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json'
import { engineOf } from '../data/postgres.ts'
import { emptyFolder, type Program } from '../processes/program.ts'
import { type Block, type Step, stepsOf } from './text-blocks.ts'
import { faultIn, inserted, type Known } from './transcript.ts'

export interface ShellOptions {
  cwd: string
  environment?: Record<string, string>
  /** The data folder that commands find; `data` in `cwd` when left out. */
  dataDir?: string
  /** Commands that do something else here than on a server, by name: scripts for sh. */
  instead?: Record<string, string>
  /** What stands in the text for something that is called differently here. */
  places?: Record<string, string>
}

export interface BlockOptions {
  /** Does a step in place of the shell, and returns what is printed; null leaves it to the shell. */
  instead?: (step: Step) => Promise<string | null>
  /** Hears what a step printed. */
  after?: (command: string, printed: string) => unknown
}

/**
 * A shell as somebody has open who follows a text: `frontdesk` is the program, and what one block exports the next ones
 * have. `run` runs a block, and throws with file and line where a command fails or prints something else than the text
 * shows. Close it when done.
 */
export async function openShell(program: Program, options: ShellOptions) {
  const { cwd, environment, dataDir = join(cwd, 'data'), instead = {} } = options
  const tools = toolsOf(program, instead)
  const { uid } = program
  const child = Bun.spawn(['bash', '--noprofile', '--norc'], {
    cwd,
    env: { PATH: `${tools}:/usr/bin:/bin`, HOME: cwd, LC_ALL: 'C.UTF-8', ...(await engineOf(dataDir)), ...environment },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const ask = answersOf(child)
  const known: Known = new Map()
  /** What words in capitals stand for, such as `INBOX`, and paths and names of a server's. */
  const places = new Map(Object.entries(options.places ?? {}))

  const here = (text: string) =>
    [...places].reduce(
      (before, [word, actual]) =>
        before.replace(new RegExp(`(?<!\\w)${RegExp.escape(word)}(?!\\w)`, 'g'), () => actual),
      text,
    )

  async function runStep(step: Step, { instead: other, after }: BlockOptions): Promise<void> {
    const printed = (await other?.(step)) ?? (await ask(step, here(inserted(step.command, known))))
    const fault = step.shown === null ? null : faultIn(here(step.shown), printed, known)
    if (step.shown !== null && fault !== null) {
      const [path, line] = step.place.split(':')
      const at = Number(line) + step.command.split('\n').length + fault
      throw new Error(`${path}:${at}: it says\n${step.shown.split('\n')[fault]}\nwhere this is printed:\n${printed}`)
    }
    await after?.(step.command, printed)
  }

  return {
    places,
    known,
    async run(block: Block, blockOptions: BlockOptions = {}): Promise<void> {
      for (const step of stepsOf(block)) await runStep(step, blockOptions)
    },
    async close() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

const scripts = Object.keys(manifest.scripts).join('|')

/** What a text has somebody run in a clone, where all of it is built: the executable is large, and linked instead of copied. */
export const cloneTools = {
  npx: `case "$*" in
  "-y bun@${Bun.version} install") ;;
  "-y bun@${Bun.version} run build") mkdir -p dist && ln -sf "$(command -v frontdesk)" dist/frontdesk ;;
  *) echo "$*" | grep -qxE -- '-y bun@${Bun.version} run (${scripts})' ;;
esac`,
  scp: 'ln -sf "$(readlink -f "$1")" "$(echo "$2" | sed s/^server://)"',
}

function toolsOf({ command }: Program, instead: Record<string, string>): string {
  const tools = emptyFolder()
  mkdirSync(join(tools, 'bin'))
  symlinkSync(command[0] as string, join(tools, 'bin/frontdesk'))
  for (const [name, script] of Object.entries(instead)) {
    writeFileSync(join(tools, 'bin', name), `#!/bin/sh\nset -eu\n${script}\n`)
    chmodSync(join(tools, 'bin', name), 0o755)
  }
  return join(tools, 'bin')
}

/** Hands the shell one command after the other, and returns what each prints, on either way out. */
function answersOf(child: Bun.Subprocess<'pipe', 'pipe', 'inherit'>) {
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  const mark = crypto.randomUUID()
  return async ({ place }: Step, command: string): Promise<string> => {
    // As one word, so that a command that is broken ends by itself; and none reads the next ones.
    child.stdin.write(`eval '${command.replaceAll("'", "'\\''")}' 2>&1 </dev/null; echo "${mark} $?"\n`)
    child.stdin.flush()
    for (let printed = ''; ; ) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`${place}: the shell has ended: ${printed}`)
      printed += decoder.decode(value, { stream: true })
      const [, output = '', code] = new RegExp(`^([\\s\\S]*)${mark} (\\d+)\\n$`).exec(printed) ?? []
      if (code === undefined) continue
      if (code !== '0') throw new Error(`${place}: this ended with ${code}:\n${command}\n${output}`)
      return output
    }
  }
}
