import type { Licence } from '../cli/licences/bundled.ts'
import { bundledLicences } from '../cli/licences/bundled.ts'
import { VERSION } from '../version.ts'

const ourselves = { name: 'frontdesk', version: VERSION }

/**
 * What the executables are made of, as CycloneDX 1.6 (ECMA-424) has it: Bun, and each package with its version, its
 * licence and what it needs. The same sources give the same bill, to the byte.
 */
export function billOfMaterials(): object {
  const packages = bundledLicences()
  const components = packages.map(componentOf)
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(components)).digest('hex')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': refOf(ourselves), ...ourselves, licenses: licencesOf('MIT') },
    },
    components,
    dependencies: [{ ref: refOf(ourselves), dependsOn: components.map((component) => component['bom-ref']) }],
  }
}

function componentOf({ name, version, licence }: Licence) {
  return {
    type: name === 'bun' ? 'platform' : 'library',
    'bom-ref': refOf({ name, version }),
    name,
    version,
    ...(licence === 'see below' ? {} : { licenses: licencesOf(licence) }),
    purl: refOf({ name, version }),
  }
}

/** A name of one licence, or an expression of several. */
function licencesOf(spdx: string): object[] {
  return /[\s()]/.test(spdx) ? [{ expression: spdx }] : [{ license: { id: spdx } }]
}

/** The package as purl-spec writes it. */
function refOf({ name, version }: { name: string; version: string }): string {
  const isOurs = name === ourselves.name
  return `pkg:${isOurs ? 'generic' : 'npm'}/${name.replace('@', '%40')}@${version}`
}

/** A UUID of version 8 (RFC 9562), which may be made of anything. */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
