import { describe } from 'vitest';
import { FakeApiServer } from '../support/fake-api-server.js';
import { tellWatchStories } from '../support/watch-stories.js';

describe('watching the fake API server', () => {
  tellWatchStories(() => FakeApiServer.start());
});
