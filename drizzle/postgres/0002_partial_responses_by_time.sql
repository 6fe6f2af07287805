CREATE INDEX "responses_partial" ON "responses" USING btree ("updated_at") WHERE status = 'partial';
