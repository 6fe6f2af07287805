import { bundledLicences } from './bundled-licences.ts' with { type: 'macro' }

/** A piece of software of others that frontdesk is made of. */
export interface Licence {
  readonly name: string
  readonly version: string
  /** SPDX, as its maker declares it. */
  readonly licence: string
  /** Licence and notices, as they come with it; empty where nothing does. */
  readonly text: string
}

/** Put together with the program, so the executable carries it. */
export const licences: readonly Licence[] = bundledLicences()
