import { describe, expect, test } from 'bun:test'
import { ConfigError, loadConfig } from '../src/config.ts'

describe('an unknown variable', () => {
  test.each([
    ['FRONTDESK_RATELIMIT', 'FRONTDESK_RATE_LIMIT'],
    ['FRONTDESK_PROXIES', 'FRONTDESK_TRUSTED_PROXIES'],
    ['FRONTDESK_DATA_DIR', 'FRONTDESK_DATA'],
    ['FRONTDESK_SMTP', 'FRONTDESK_SMTP_URL'],
    ['FRONTDESK_STRIPE_SECRET', 'FRONTDESK_STRIPE_WEBHOOK_SECRET'],
    ['FRONTDESK_BASEURL', 'FRONTDESK_BASE_URL'],
    ['FRONTDESK_', 'FRONTDESK_'],
  ])('%s is refused with the nearest name there is', (name, nearest) => {
    const load = () => loadConfig({ [name]: '1' })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(new RegExp(`^${name}: there is no such variable; did you mean ${nearest}\\w*\\?$`))
  })

  test('is no concern of ours when it is empty, or not named after us', () => {
    expect(() => loadConfig({ FRONTDESK_OLD: '', FRONT_DESK: '1', PORT: '80' })).not.toThrow()
  })
})
