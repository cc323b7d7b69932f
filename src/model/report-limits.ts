export const MAX_SAMPLES = 50
/** The limit for the samples of all fields together, in characters. */
export const MAX_SAMPLES_LENGTH = 4 * 1024 * 1024
/** How many distinct values of a field are counted: the first ones. */
export const MAX_COUNTS = 1000
/** The limit for the fields of responses and lists together. Further ones are in `data` only. */
export const MAX_FIELDS = 5000
