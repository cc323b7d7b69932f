/** Whether the visitor's browser asks not to be measured. */
export function refusesMeasuring({ headers }: Request): boolean {
  return headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
}
