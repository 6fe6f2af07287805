CREATE TABLE "form_logos" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"content_type" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "form_logos_tenant_id_form_id_pk" PRIMARY KEY("tenant_id","form_id")
);

--> statement-breakpoint
CREATE TABLE "notifications" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"response_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"due_at" text COLLATE "C",
	"error" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "notifications_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "draft_version" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "settings" text COLLATE "C" DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "closes_at" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "max_responses" bigint;
--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "hidden_fields" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "language" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "form_logos" ADD CONSTRAINT "form_logos_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "form_logos" ADD CONSTRAINT "form_logos_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_response_id_responses_tenant_id_id_fk" FOREIGN KEY ("tenant_id","response_id") REFERENCES "public"."responses"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "notifications_due" ON "notifications" USING btree ("due_at") WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "notifications_given_up" ON "notifications" USING btree ("created_at") WHERE due_at IS NULL;
--> statement-breakpoint
CREATE INDEX "notifications_response" ON "notifications" USING btree ("tenant_id","response_id");
--> statement-breakpoint
CREATE INDEX "forms_closing" ON "forms" USING btree ("closes_at") WHERE closes_at IS NOT NULL AND status = 'active';
