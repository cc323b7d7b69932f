import type { Assets } from '../http/kit/assets.ts'

/** Stands in for the built web files: their names are enough for a test of the service. */
export const NO_ASSETS: Assets = {
  url: (name) => `/~/${name}`,
  has: () => true,
  text: () => '',
  respond: () => null,
}
