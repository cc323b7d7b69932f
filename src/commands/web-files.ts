import { join } from 'node:path'

/** The same relative path from here and from `dist/server` in the executable. */
export const WEB_FILES = join(import.meta.dir, '../../dist/web')
