import { isUpToDate } from './sqlite/files.ts'
import { inheritFolder, lockFolder, shareFolder, visitFolder } from './sqlite/folder-lock.ts'

/** A service's hold on its data, from its start to its end. */
export interface Hold {
  /** Whether nobody else may have the data open when this service opens it: it brings the database up to date. */
  readonly mustBeAlone: boolean
  /**
   * Resolves once the data is this service's alone to work on by the clock: at once, but of one that follows another when
   * that has passed it on or is gone. Resolves to false where `signal` is aborted before.
   */
  own(signal: AbortSignal): Promise<boolean>
  /** Lets the service that follows own the data; what is under way here may be finished until `release`. */
  pass(): void
  release(): void
}

/** Of a PostgreSQL database, which many serve; they may share a data folder. Throws UserError while that is restored. */
export function holdShared(dataDir: string): Hold {
  return { mustBeAlone: false, own: async () => true, pass() {}, release: shareFolder(dataDir) }
}

/** Of a SQLite file, which one process serves. Throws UserError when there is another. Creates the folder. */
export function holdAlone(dataDir: string): Hold {
  return new FolderHold(dataDir, lockFolder(dataDir), { owns: true, mustBeAlone: false })
}

/** Of a SQLite file, beside the service that is followed. Throws UserError where the database is another version's. */
export function holdBeside(dataDir: string): Hold {
  const mustBeAlone = !isUpToDate(dataDir)
  return new FolderHold(dataDir, visitFolder(dataDir), { owns: false, mustBeAlone })
}

class FolderHold implements Hold {
  readonly mustBeAlone: boolean
  #owns: boolean
  #letGo: () => void

  constructor(
    private readonly dataDir: string,
    letGo: () => void,
    { owns, mustBeAlone }: { owns: boolean; mustBeAlone: boolean },
  ) {
    this.#letGo = letGo
    this.#owns = owns
    this.mustBeAlone = mustBeAlone
  }

  async own(signal: AbortSignal): Promise<boolean> {
    if (this.#owns) return true
    const unlock = await inheritFolder(this.dataDir, signal)
    if (unlock) this.#exchange(unlock)
    this.#owns = unlock !== null
    return this.#owns
  }

  pass(): void {
    if (this.#owns) this.#exchange(visitFolder(this.dataDir))
    this.#owns = false
  }

  release(): void {
    this.#letGo()
  }

  /** In this order: in between, nobody else gets hold of it. */
  #exchange(letGo: () => void): void {
    const before = this.#letGo
    this.#letGo = letGo
    before()
  }
}
