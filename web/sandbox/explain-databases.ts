/**
 * Lets calls of IndexedDB fail in the sandbox with an error that says why, and what to do.
 *
 * Its own text runs in workers as well, so it uses nothing from outside of it.
 */
export function explainDatabases(): void {
  if (self.origin !== 'null' || typeof IDBFactory === 'undefined') return
  const reason =
    'This page runs in a sandbox without an origin of its own, where browsers keep no database. ' +
    'It works on a host of its own: the operator of this server sets CONTENT_URL. ' +
    'Without it, localStorage keeps up to 5 MB.'
  const { prototype } = IDBFactory
  const errorOf = (name: string) =>
    new DOMException(`Failed to execute '${name}' on 'IDBFactory': ${reason}`, 'SecurityError')
  for (const name of ['open', 'deleteDatabase'] as const) {
    prototype[name] = () => {
      throw errorOf(name)
    }
  }
  prototype.databases = () => Promise.reject(errorOf('databases'))
}
