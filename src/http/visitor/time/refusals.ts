/** Whether the visitor's browser asks not to be tracked. */
export function refusesMeasuring({ headers }: Request): boolean {
  return headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
}
