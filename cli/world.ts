/** Where the commands run; main.ts, which alone reads the environment, says it. */
export interface World {
  cwd: string
  home: string
  /** XDG_CONFIG_HOME. */
  config_home: string | undefined
  /** HANDBILL_URL and HANDBILL_API_KEY, which go before what `login` stored. */
  url: string | undefined
  key: string | undefined
  /** NO_COLOR. */
  no_color: boolean
}
