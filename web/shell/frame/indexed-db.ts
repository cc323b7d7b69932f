const REASON =
  'This page runs in a sandbox without an origin of its own, where browsers keep no database. ' +
  'It works on a host of its own: the operator of this server sets CONTENT_URL. ' +
  'Without it, localStorage keeps up to 5 MB.'

/** Lets calls of IndexedDB fail in the sandbox with an error that says why, and what to do. */
export function explainIndexedDb(): void {
  if (window.origin !== 'null' || typeof IDBFactory === 'undefined') return
  const { prototype } = IDBFactory
  const errorOf = (name: string) =>
    new DOMException(`Failed to execute '${name}' on 'IDBFactory': ${REASON}`, 'SecurityError')
  for (const name of ['open', 'deleteDatabase'] as const) {
    prototype[name] = () => {
      throw errorOf(name)
    }
  }
  prototype.databases = () => Promise.reject(errorOf('databases'))
}
