/**
 * What `load` loads when it is first asked for, and from then on. For libraries that most services at rest have no use
 * for: each takes memory, and time of every start. `load` is a `require`, since who asks cannot wait.
 */
export function deferred<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
