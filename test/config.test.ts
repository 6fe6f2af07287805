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

describe('FRONTDESK_BASE_URL', () => {
  const load = (url: string) => loadConfig({ FRONTDESK_BASE_URL: url }).baseUrl

  test('is what links begin with', () => {
    expect(loadConfig({ FRONTDESK_PORT: '80' }).baseUrl).toBe('http://127.0.0.1:80')
    expect(load('https://desk.test/')).toBe('https://desk.test')
    expect(load('https://acme.test/desk/')).toBe('https://acme.test/desk')
  })

  test.each([
    'https://u:hidden@desk.test',
    'https://desk.test?hidden',
    'https://desk.test/#hidden',
    ' https://desk.test',
  ])('that links cannot begin with is refused, and not repeated: %s', (url) => {
    expect(() => load(url)).toThrow(/^FRONTDESK_BASE_URL: must be an address alone, [^:]+$/)
  })
})

describe('the applications that sign in to mailboxes', () => {
  test('have an id and a secret each', () => {
    expect(loadConfig({}).oauth).toEqual({ microsoft: null, google: null })
    const google = { FRONTDESK_GOOGLE_CLIENT_ID: 'id', FRONTDESK_GOOGLE_CLIENT_SECRET: 'hidden' }
    expect(loadConfig(google).oauth).toEqual({ microsoft: null, google: { clientId: 'id', clientSecret: 'hidden' } })
  })

  test.each([
    ['FRONTDESK_GOOGLE_CLIENT_ID', 'FRONTDESK_GOOGLE_CLIENT_SECRET'],
    ['FRONTDESK_MICROSOFT_CLIENT_SECRET', 'FRONTDESK_MICROSOFT_CLIENT_ID'],
  ])('are refused with %s alone, which is not repeated', (present, missing) => {
    expect(() => loadConfig({ [present]: 'hidden' })).toThrow(
      new RegExp(`^${missing}: must be set where ${present} is$`),
    )
  })
})

describe('the identity provider', () => {
  const whole = {
    FRONTDESK_OIDC_ISSUER: 'https://login.acme.test/realms/desk/',
    FRONTDESK_OIDC_CLIENT_ID: 'desk',
    FRONTDESK_OIDC_CLIENT_SECRET: 'hidden',
  }

  test('is its issuer as it writes it, with a client; none unless they are set', () => {
    expect(loadConfig({}).oidc).toBeNull()
    expect(loadConfig(whole).oidc).toEqual({
      issuer: 'https://login.acme.test/realms/desk/',
      clientId: 'desk',
      clientSecret: 'hidden',
    })
    const local = { ...whole, FRONTDESK_OIDC_ISSUER: 'http://[::1]:9000' }
    expect(loadConfig(local).oidc?.issuer).toBe('http://[::1]:9000')
  })

  test.each(Object.keys(whole))('needs %s', (name) => {
    expect(() => loadConfig({ ...whole, [name]: '' })).toThrow(
      new RegExp(`^${name}: must be set where FRONTDESK_OIDC_\\w+ is$`),
    )
  })

  test.each([
    'login.acme.test',
    'http://login.acme.test',
    'ftp://login.acme.test',
    'https://user:hidden@login.acme.test',
    'https://login.acme.test/?hidden',
    'https://login.acme.test/#hidden',
  ])('is not at %s, which is not repeated', (issuer) => {
    expect(() => loadConfig({ ...whole, FRONTDESK_OIDC_ISSUER: issuer })).toThrow(
      /^FRONTDESK_OIDC_ISSUER: must be the https:\/\/ address that the provider names as its issuer$/,
    )
  })
})

describe('FRONTDESK_FILES_URL', () => {
  const account = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'hidden' }
  const load = (url: string, more: Record<string, string> = account) =>
    loadConfig({ FRONTDESK_FILES_URL: url, ...more }).files

  test('is the data folder, a shared one or a bucket', () => {
    expect(loadConfig({}).files).toBeNull()
    expect(load('file:///shared/a%20folder')).toMatchObject({ kind: 'folder', folder: '/shared/a folder' })
    expect(load('s3://bucket')).toMatchObject({
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      endpoint: null,
      region: null,
    })
    const more = { ...account, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'https://s3.acme.test/' }
    expect(load('s3://bucket/a/b/', more)).toMatchObject({
      prefix: 'a/b/',
      region: 'eu-west-1',
      endpoint: 'https://s3.acme.test',
    })
  })

  test.each([
    'shared',
    '/shared',
    'file://host/shared',
    'https://a.test/',
    's3://',
    's3://B',
    's3://k:s@bucket',
    's3://b/..?x',
  ])('%s is refused, and not repeated', (url) => {
    expect(() => load(url)).toThrow(/^FRONTDESK_FILES_URL: must be file:\/\/\/shared\/folder or s3:\/\/bucket\/prefix$/)
  })

  test('of a bucket needs an account, and no secret is repeated', () => {
    expect(() => load('s3://bucket', {})).toThrow(/^AWS_ACCESS_KEY_ID: must be set/)
    expect(() => load('s3://bucket', { AWS_ACCESS_KEY_ID: 'key' })).toThrow(/^AWS_SECRET_ACCESS_KEY: must be set/)
    expect(() => load('s3://bucket', { ...account, AWS_ENDPOINT_URL: 'hidden' })).toThrow(
      /^AWS_ENDPOINT_URL: must be a URL/,
    )
    expect(() => load('file:///shared', { AWS_ENDPOINT_URL: 'of other programs' })).not.toThrow()
  })
})

describe('FRONTDESK_LLM_URL', () => {
  const load = (environment: Record<string, string>) => loadConfig(environment).llm
  const url = { FRONTDESK_LLM_URL: 'https://llm.test/v1/' }

  test('is none, or an endpoint with a model for both or one for each', () => {
    expect(load({})).toBeNull()
    const plain = { url: 'https://llm.test/v1', model: null, embeddingModel: null, key: null }
    expect(load(url)).toEqual(plain)
    expect(load({ ...url, FRONTDESK_LLM_MODEL: 'a', FRONTDESK_LLM_KEY: 'k' })).toEqual({
      ...plain,
      model: 'a',
      embeddingModel: 'a',
      key: 'k',
    })
    expect(load({ ...url, FRONTDESK_LLM_MODEL: 'a, b' })).toMatchObject({ model: 'a', embeddingModel: 'b' })
  })

  test.each([
    [{ FRONTDESK_LLM_URL: 'llm.test' }, /^FRONTDESK_LLM_URL: must be a URL/],
    [{ FRONTDESK_LLM_URL: 'https://llm.test/v1?version=1' }, /^FRONTDESK_LLM_URL: must be an address alone/],
    [{ FRONTDESK_LLM_URL: 'https://llm.test/v1/chat/completions' }, /^FRONTDESK_LLM_URL: must end before/],
    [{ FRONTDESK_LLM_KEY: 'k' }, /^FRONTDESK_LLM_URL: must be set where FRONTDESK_LLM_KEY is/],
    [{ FRONTDESK_LLM_MODEL: 'a' }, /^FRONTDESK_LLM_URL: must be set where FRONTDESK_LLM_MODEL is/],
    [{ ...url, FRONTDESK_LLM_MODEL: 'a,,b' }, /^FRONTDESK_LLM_MODEL: must be/],
    [{ ...url, FRONTDESK_LLM_MODEL: ',' }, /^FRONTDESK_LLM_MODEL: must be/],
    [{ ...url, FRONTDESK_LLM_KEY: 'two words' }, /^FRONTDESK_LLM_KEY: must be printable/],
  ])('%p is refused', (environment, message) => {
    expect(() => load(environment)).toThrow(message)
  })
})

describe('the database', () => {
  const FRONTDESK_SECRET_KEY = Buffer.alloc(32).toString('base64')
  const load = (url: string, replica = '') =>
    loadConfig({ FRONTDESK_DATABASE_URL: url, FRONTDESK_DATABASE_REPLICA_URL: replica, FRONTDESK_SECRET_KEY })

  test('may be at one of several hosts, and have a replica', () => {
    const url = 'postgres://u:p@a.test,b.test:5433,[::1]:5434/desk?sslmode=require'
    const config = load(url, 'postgres://u:p@c.test/desk')
    expect(config.databaseUrl).toBe(url)
    expect(config.databaseReplicaUrl).toBe('postgres://u:p@c.test/desk')
    expect(load(url).databaseReplicaUrl).toBeNull()
  })

  test.each([
    'postgres://u:hidden@a.test,/desk',
    'postgres://u:hidden@a.test,b.test:port/desk',
    'http://a.test,b.test/',
  ])('is refused where one of the hosts is none, and not repeated: %s', (url) => {
    for (const config of [() => load(url), () => load('postgres://a.test/desk', url)]) {
      expect(config).toThrow(/^FRONTDESK_DATABASE\w*_URL: must be a URL that starts with [^@]+$/)
    }
  })

  test('in the data folder has no replica', () => {
    expect(() => loadConfig({ FRONTDESK_DATABASE_REPLICA_URL: 'postgres://u:hidden@a.test/desk' })).toThrow(
      /^FRONTDESK_DATABASE_REPLICA_URL: only PostgreSQL has replicas: set FRONTDESK_DATABASE_URL to the primary too$/,
    )
  })
})
