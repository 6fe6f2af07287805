/** Any site may call the public surfaces, without credentials: they know no cookie and no key (decisions §6). */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, Idempotent-Replayed, X-Request-Id',
}

/** The answer to a browser that asks first. */
export const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Idempotency-Key',
  'access-control-max-age': '86400',
}
