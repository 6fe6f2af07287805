import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportForm } from '../../src/forms/portable/write.ts'
import { changeSettings, getSettings } from '../../src/forms/settings/operations.ts'
import { startApp } from '../support/app.ts'
import { fillAsBefore } from '../support/data/earlier-postgres.ts'
import { asBefore } from '../support/data/earlier-version.ts'
import { dropDatabaseOf, remakeDatabaseOf, runSql, serverUrl } from '../support/data/postgres.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { pictures } from '../support/pages/images.ts'

const BEFORE = 'form_logos_are_files'
/** What the version before wrote: it kept logos, and no other file of a form's look. */
const AS_IT_WROTE = [
  "INSERT INTO form_logos (tenant_id, form_id, content_type, content) SELECT tenant_id, form_id, content_type, content FROM form_files WHERE kind = 'logo'",
  'DELETE FROM form_files',
]

/** Makes of a closed service's database the one that the version before logos became files would have left. */
async function asItWas(dataDir: string): Promise<void> {
  if (serverUrl) {
    return remakeDatabaseOf(dataDir, async (from, to) => {
      await fillAsBefore(BEFORE, from, to)
      for (const statement of AS_IT_WROTE) await runSql(to, statement)
    })
  }
  const key = readFileSync(join(dataDir, 'secret.key'))
  asBefore(BEFORE, dataDir, (sqlite) => {
    for (const statement of AS_IT_WROTE) sqlite.run(statement)
  })
  writeFileSync(join(dataDir, 'secret.key'), key)
}

test('logos from before forms had other files are each their form’s, to the byte, and can be changed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  try {
    const before = await startApp({ dataDir })
    const tenants = [await before.createTenant(), await before.createTenant()] as const
    const logos = [png, pictures.gif(30, 10)]
    const forms = await Promise.all(
      tenants.map(async (tenant, index) => {
        const form = await createPublished(tenant, [{ type: 'nps' }])
        await tenant.perform((tx, caller) => changeSettings(tx, caller, form.id, { logo: logos[index] }))
        return { ...form, tenantId: tenant.tenantId, plain: await createPublished(tenant, [{ type: 'nps' }]) }
      }),
    )
    const addresses = await Promise.all(
      forms.map(async ({ launchCode }) => {
        const { text } = await before.request('GET', `/f/${launchCode}`)
        return /\/f\/\w+\/logo\?v=\w+/.exec(text)?.[0] ?? ''
      }),
    )
    const exported = await exportForm(before.database.db, tenants[0].tenantId, forms[0]?.id ?? '')
    await before.close()
    await asItWas(dataDir)

    const after = await startApp({ dataDir })
    for (const [index, { id, launchCode, plain, tenantId }] of forms.entries()) {
      expect((await after.request('GET', `/f/${launchCode}`)).text).toContain(`src="${addresses[index]}"`)
      const answer = await fetch(after.url + addresses[index])
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(logos[index] ?? []))
      expect(answer.headers.get('content-type')).toBe(['image/png', 'image/gif'][index] ?? null)
      expect((await getSettings(after.database.db, tenantId, plain.id)).logo).toBeNull()
      expect((await after.request('GET', `/f/${plain.launchCode}/logo`)).status).toBe(404)
      expect((await getSettings(after.database.db, tenantId, id)).cover).toBeNull()
    }
    const [tenant] = tenants
    const id = forms[0]?.id ?? ''
    expect(await exportForm(after.database.db, tenant.tenantId, id)).toEqual(exported)
    const caller = { ...tenant.caller(), at: after.clock.now() }
    await after.database.transaction((tx) => changeSettings(tx, caller, id, { logo: null, cover: png }))
    expect((await after.request('GET', addresses[0] ?? '')).status).toBe(404)
    expect((await getSettings(after.database.db, tenant.tenantId, id)).cover).toMatchObject({
      contentType: 'image/png',
    })
    await after.close()
  } finally {
    await dropDatabaseOf(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
})
