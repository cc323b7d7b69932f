import { refuse } from '../../model/errors.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'

/** Another page has the slug, or another account gave it up within a year: which, is not told. */
export function slugTaken() {
  return refuse.conflict('slug_taken', 'This slug is taken: choose another.', { param: 'slug' })
}

/** Translates the database's error where a slug or a title is taken. */
export function throwTaken(err: unknown): never {
  if (isUniqueViolation(err, 'pages.slug')) throw slugTaken()
  if (isUniqueViolation(err, 'pages.title')) {
    throw refuse.conflict(
      'duplicate_title',
      'Another page of this account has this title: choose another.',
      { param: 'title' },
    )
  }
  throw err
}
