/** What the commands take from where they run. Only main.ts reads it; they are given it. */
export interface Environment {
  cwd: string
  home: string
  /** XDG_CONFIG_HOME. */
  configHome: string | undefined
  /** HANDBILL_URL and HANDBILL_API_KEY, which go before what `login` stored. */
  url: string | undefined
  key: string | undefined
  /** NO_COLOR. */
  noColor: boolean
}
