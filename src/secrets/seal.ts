import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** A key is so many bytes: AES-256. */
export const KEY_LENGTH = 32

const ALGORITHM = 'aes-256-gcm'
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
/** Begins every sealed value, which no JSON text does, and leaves room for another algorithm. */
const PREFIX = 'sealed1.'

/**
 * Keeps what has to be stored and read again from whoever only gets at the database: webhook secrets, answers that
 * hold a token. What needs no reading again is stored as a hash instead.
 */
export interface Secrets {
  /** `plain`, encrypted and bound to `context`: nothing else's sealed value can stand in its place. */
  seal(plain: string, context: string): string
  /** What was sealed for that same context. Throws where it was changed, or sealed for another or with another key. */
  open(sealed: string, context: string): string
  /** What nobody without the key can compute of `text`: 32 bytes, for that context alone. */
  mac(text: string, context: string): Uint8Array
  /** A key for that purpose alone, 32 bytes: it tells nothing of this one, nor of another's. */
  derive(purpose: string): Uint8Array
}

/** Whether a stored text is a sealed value. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** Seals with AES-256-GCM; the context is its additional data. */
export function sealerWith(key: Uint8Array): Secrets {
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_LENGTH)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
      const content = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return PREFIX + Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, context) {
      if (!isSealed(sealed)) throw new Error('not a sealed value')
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
      if (bytes.length < NONCE_LENGTH + TAG_LENGTH) throw new Error('not a sealed value')
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_LENGTH))
      const content = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH))
      return Buffer.concat([content, decipher.final()]).toString('utf8')
    },
    mac(text, context) {
      const own = createHmac('sha256', key).update(`frontdesk mac: ${context}`).digest()
      return createHmac('sha256', own).update(text).digest()
    },
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', key, '', `frontdesk key: ${purpose}`, KEY_LENGTH)),
  }
}

/** The bytes of a key in Base64, or null where it is none of the right length. */
export function parseKey(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_LENGTH && bytes.toString('base64') === text ? bytes : null
}

/** Tells one key from another, and nothing of either. */
export function fingerprintOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('frontdesk key fingerprint').digest('hex').slice(0, 32)
}
