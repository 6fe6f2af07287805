/**
 * What `load` loads when it is first asked for, and from then on. For libraries that most services at rest have no use
 * for: each takes memory, and time of every start. `load` is an `import`, which the executable reads by itself; a `require`
 * only where who asks cannot wait, for it is read with all that is around it.
 */
export function deferred<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
