import { describe, expect, spyOn, test } from 'bun:test'
import { loadConfig } from '../../src/config.ts'
import { UserError } from '../../src/errors.ts'
import { listen } from '../../src/http/server.ts'

describe('a port that cannot be bound', () => {
  test.each([
    ['EADDRINUSE', 'FRONTDESK_PORT: port 8080 on desk.test is already in use'],
    ['EACCES', 'FRONTDESK_PORT: listening on port 8080 is not permitted'],
    ['EADDRNOTAVAIL', 'FRONTDESK_HOST: desk.test is not an address of this machine'],
    ['EINVAL', 'FRONTDESK_HOST: desk.test is not'],
    ['ENOENT', 'FRONTDESK_HOST: desk.test is not'],
    ['ENOTFOUND', 'FRONTDESK_HOST: desk.test is not'],
    ['EAI_AGAIN', 'FRONTDESK_HOST: desk.test is not'],
    ['ERR_INVALID_ARG_TYPE', 'FRONTDESK_HOST: desk.test is not'],
    [undefined, 'FRONTDESK_HOST: desk.test is not'],
    ['EMFILE', 'FRONTDESK_HOST: no descriptors'],
  ])('for %s is one line that names the variable, however the machine puts it', (code, message) => {
    using _ = spyOn(Bun, 'serve').mockImplementation(() => {
      throw Object.assign(new Error(`${code}: it did not work, listen`), { code })
    })
    const config = loadConfig({ FRONTDESK_HOST: 'desk.test', FRONTDESK_PORT: '8080' })
    const bind = () => listen(config)
    expect(bind).toThrow(UserError)
    expect(bind).toThrow(new RegExp(`^${message}[^\n]*$`))
  })
})
