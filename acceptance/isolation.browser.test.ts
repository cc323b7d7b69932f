import { isolationSuite, WITHOUT_WINDOWS } from './isolation.ts'
import { launchChromium } from './isolation-visitor.ts'

isolationSuite(launchChromium, WITHOUT_WINDOWS)
