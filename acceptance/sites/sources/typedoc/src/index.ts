/** A bridge over a river. */
export class Bridge {
  /** @param spanMetres its length */
  constructor(readonly spanMetres: number) {}

  /** What it carries, in tonnes. See {@link Load}. */
  capacity(): Load {
    return { tonnes: 4000 / this.spanMetres }
  }
}

/** A load on a {@link Bridge}. */
export interface Load {
  tonnes: number
}
