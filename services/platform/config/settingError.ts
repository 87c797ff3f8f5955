/** A setting that the person who starts the service has to mend. Its message is one line that names the setting. */
export class SettingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingError'
  }
}
