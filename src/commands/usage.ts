export const USAGE = `handbill: publish pages, decks, PDFs and images at links you control

  handbill serve                       serve; on an empty folder, print the set-up link
  handbill account add EMAIL           make an account  [--plan free|pro|team] [--name N]
  handbill account plan EMAIL PLAN     change its plan
  handbill account list                list accounts
  handbill key create EMAIL            make an API key and print it, once  [--name N]
  handbill key list EMAIL              list an account's keys
  handbill key revoke ID               end a key
  handbill migrate                     bring the database up to date

  --json      print the result as one JSON value
  --help, --version

Settings are environment variables (PORT, DATA_DIR, BASE_URL, DATABASE_URL, …) or a .env file in
the working folder: see docs/configuration.md.`
