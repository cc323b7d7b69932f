import type { TabContext } from '../tab.ts'
import type { Places, PlacesOptions } from './model.ts'
import { createPassages } from './passages.ts'
import { createSpots } from './spots.ts'

/** Where comments stand in the page beside the panel. */
export function createPlaces(context: TabContext, options: PlacesOptions): Places {
  return context.frame.isFramed ? createPassages(context, options) : createSpots(context, options)
}
