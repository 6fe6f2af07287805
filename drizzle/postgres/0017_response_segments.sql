CREATE TABLE "response_segments" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"number" bigint NOT NULL,
	"through_at" text COLLATE "C" NOT NULL,
	"through_id" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "response_segments_tenant_id_form_id_number_pk" PRIMARY KEY("tenant_id","form_id","number")
);

--> statement-breakpoint
DROP INDEX "responses_contact";
--> statement-breakpoint
ALTER TABLE "response_segments" ADD CONSTRAINT "response_segments_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "response_segments" ADD CONSTRAINT "response_segments_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "responses_contact" ON "responses" USING btree ("tenant_id","contact_id","id","form_id") WHERE "responses"."contact_id" is not null;
