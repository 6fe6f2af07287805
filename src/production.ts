/**
 * Imported first, for its effect: outside of production Elysia makes up an example of what it expected and prints the
 * whole request into every validation error, which for a large body takes seconds, only for us to throw it away.
 */
process.env.NODE_ENV ??= 'production'
