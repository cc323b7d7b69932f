/** The part of the process environment that commands use. Only main.ts reads it. */
export interface Environment {
  cwd: string
  home: string
  /** XDG_CONFIG_HOME. */
  configHome: string | undefined
  /** HANDBILL_URL and HANDBILL_API_KEY. They take precedence over what `login` stored. */
  url: string | undefined
  key: string | undefined
  /** NO_COLOR. */
  noColor: boolean
}
