/** What all doors have to know of the service. */
export class ServiceState {
  /** True from the moment at which it was told to stop: no more work is wanted, and what still comes is done. */
  stopping = false;
}
